import { client } from "../api/client.ts";

/** Whether a hash is that of a key of a partner's. */
export async function isKeyHash(hash: string): Promise<boolean> {
  const { data } = await client.GET("/ops/find", { params: { query: { q: hash } } });
  return data?.data.some(({ kind }) => kind === "key") ?? false;
}
