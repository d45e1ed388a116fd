/** A token of a request whose outcome is not known yet. */
export interface PendingToken {
  readonly token: string;
  /** The outcome is known: the next request of the same content is a new one. */
  readonly forget: () => void;
}

/**
 * The token of a content. It is kept in the tab until its outcome is known, also over a reload: a repeat of an unanswered
 * request has the same token, so nothing is made twice. `scope` names the person and the operation. The storage has a digest
 * of the content, and nothing of the content itself.
 */
export async function tokenFor(scope: string, content: string): Promise<PendingToken> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${scope} ${content}`)));
  const place = `token ${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const token = sessionStorage.getItem(place) ?? crypto.randomUUID();
  sessionStorage.setItem(place, token);
  return { token, forget: () => sessionStorage.removeItem(place) };
}
