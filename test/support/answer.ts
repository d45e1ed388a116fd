/** What the edge answered; `body` is whatever JSON it was. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
  readonly text: string;
}
