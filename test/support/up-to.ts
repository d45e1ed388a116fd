/** A binding that lets through so many of each key. */
export function upTo(most: number) {
  const counts = new Map<string, number>();
  const limit = ({ key }: { key: string }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return Promise.resolve({ success: (counts.get(key) ?? 0) <= most });
  };
  return { limit, counts };
}
