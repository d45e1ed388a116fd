import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";

/** A host of agents that signs in by OAuth, made of the protocol's official client. It keeps what it got in memory. */
export class Assistant implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata;
  /** Where it would send its user's browser. */
  asked: URL | undefined;
  readonly #transport: StreamableHTTPClientTransport;
  readonly #client = new Client({ name: "assistant", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  #information: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = "";

  constructor(edge: string, redirectUrl: string) {
    this.redirectUrl = redirectUrl;
    this.clientMetadata = { client_name: "A hosted assistant", redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" };
    this.#transport = new StreamableHTTPClientTransport(new URL(`${edge}/mcp`), { authProvider: this });
  }

  state = () => "the-state";
  clientInformation = () => this.#information;
  saveClientInformation(information: StoredOAuthClientInformation): void {
    this.#information = information;
  }
  tokens = () => this.#tokens;
  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;

  connect(): Promise<void> {
    return this.#client.connect(this.#transport);
  }
  async tools(): Promise<string[]> {
    return (await this.#client.listTools()).tools.map(({ name }) => name);
  }
  /** The operation's answer. Throws where the host must sign in. */
  async call(name: string, body: Record<string, unknown>): Promise<any> {
    return (await this.#client.callTool({ name, arguments: body })).structuredContent;
  }
  /** Its user came back from signing in. */
  returned(query: URLSearchParams): Promise<void> {
    return this.#transport.finishAuth(query);
  }
  close(): Promise<void> {
    return this.#client.close();
  }
}
