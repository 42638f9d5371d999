/** A self-signed certificate for `localhost`, `api.example` and 127.0.0.1, valid from 2020 to 2120. Its key is no secret. */

/** Its key. */
export const key: string = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgu63jyitnelxXuG0W
kyJbZYC6dQawh2h//2P0dpdopFWhRANCAASYV/5YyWlGi72XdEVHzkjx/xNnYlmY
DupndSstgsVmYuyfZO2wkVbBhHxnjrf1Nu3M7W2uWvJ5oafR+ZJ+pJsf
-----END PRIVATE KEY-----
`;

/** The certificate. */
export const cert: string = `-----BEGIN CERTIFICATE-----
MIIBYzCCAQmgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJhX/ljJaUaLvZd0
RUfOSPH/E2diWZgO6md1Ky2CxWZi7J9k7bCRVsGEfGeOt/U27cztba5a8nmhp9H5
kn6kmx+jSjBIMCcGA1UdEQQgMB6CCWxvY2FsaG9zdIILYXBpLmV4YW1wbGWHBH8A
AAEwHQYDVR0OBBYEFFQsBWFfnQlEirKa8rt34dDQN5beMAoGCCqGSM49BAMCA0gA
MEUCIG8YJP20nJbvY/05jUQXLG9Ja50mKmzDKYE8crRFU9jbAiEAujCWzA6F3ghm
k2uufDK069I09yU2flt4jxsKYKJbZcI=
-----END CERTIFICATE-----
`;
