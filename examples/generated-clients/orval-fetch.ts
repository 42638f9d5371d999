/** The fetch function for clients that orval generates: it adds the server's URL and the key. */

let settings = { baseUrl: '', key: '' };

export function configureOrval(chosen: typeof settings): void {
  settings = chosen;
}

export async function orvalFetch<T>(path: string, options: RequestInit): Promise<T> {
  const headers = { ...options.headers, 'X-SERVICE-API-Key': settings.key };
  const response = await fetch(`${settings.baseUrl}${path}`, { ...options, headers });
  return { status: response.status, headers: response.headers, data: await response.json() } as T;
}
