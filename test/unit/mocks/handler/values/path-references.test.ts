import { describe, expect, it } from 'vitest';
import { withPathReferences } from '../../../../../mocks/handler/values/path-references.ts';

const path = '/projects/{project_id}/shops/{shopId}/jobs/{job_id}';
const segments = new Map([
  ['project_id', 'blue sea'],
  ['shopId', '12'],
  ['job_id', 'j7'],
]);

describe('a generated body', () => {
  it('shows the parents that the path names, as the type of each member has them', () => {
    const jobs = [{ id: 'string', project_id: 'string', shop: { shop_id: 0 } }];
    expect(withPathReferences({ data: jobs }, `${path}/steps`, segments)).toEqual({
      data: [{ id: 'string', project_id: 'blue sea', shop: { shop_id: 12 } }],
    });
  });

  it('keeps what names the record itself, what is no identifier of a parent, and what has another type', () => {
    const job = { job_id: 'string', project_id: null, shop_id: 'string' };
    expect(withPathReferences(job, path, new Map([...segments, ['shopId', 'a']]))).toEqual({ ...job, shop_id: 'a' });
    expect(withPathReferences({ id: 'string' }, '/projects/{id}/jobs', new Map([['id', '3']]))).toEqual({ id: 'string' });
  });
});
