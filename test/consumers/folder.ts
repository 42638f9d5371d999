import { fileURLToPath } from 'node:url';

/** The folder of the committed pacts. */
export const committedFolder: string = fileURLToPath(new URL('../../contracts/pacts', import.meta.url));

/** The variable that names another output folder, for a look at what would be committed. */
export const folderVariable = 'PACTS_FOLDER';
