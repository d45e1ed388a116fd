import { client } from "../api/client.ts";

/** Whether a hash is that of a key of the partner's, which its owners may find. */
export async function isKeyHash(hash: string): Promise<boolean> {
  const { data } = await client.GET("/partner/find", { params: { query: { q: hash } } });
  return data?.data.some(({ kind }) => kind === "key") ?? false;
}
