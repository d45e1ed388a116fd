import { describe, expect, it } from "vitest";
import { isOpenedByPerson } from "../../src/http/short-domain/opened.ts";

const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";
const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";
const of = (agent: string | null, more: Record<string, string> = {}, method = "GET") =>
  isOpenedByPerson({ method, headers: new Headers({ ...(agent === null ? {} : { "User-Agent": agent }), ...more }) });

describe("an opening of a link", () => {
  it.each([
    SAFARI,
    CHROME,
    `${CHROME} Edg/131.0.0.0`,
    `${SAFARI} [FBAN/FBIOS;FBAV/400]`,
    "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0",
  ])("is a person's: %s", (agent) => {
    expect(of(agent)).toBe(true);
  });

  it.each([
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2)",
    "Mozilla/5.0 (compatible; YandexBot/3.0)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Mozilla/5.0 (compatible; facebookexternalhit/1.1)",
    "WhatsApp/2.24.1 A",
    "TelegramBot (like TwitterBot)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (Windows NT 10.0) SkypeUriPreview Preview/0.5",
    "Mozilla/5.0 HeadlessChrome/131.0.0.0",
    "Mozilla/5.0 (Windows NT 10.0) SomeBot 1.0",
    "Mozilla/5.0 (X11) Web-Crawler",
    "Mozilla/5.0 (X11) Spider",
    "Mozilla/5.0 (X11) MailScanner",
    "Mozilla/5.0 (X11) UptimeMonitor",
    "program Mozilla/5.0",
    "curl/8.5.0",
    "python-requests/2.32",
    "Go-http-client/2.0",
    "",
    null,
  ])("is none of a program: %s", (agent) => {
    expect(of(agent)).toBe(false);
  });

  it.each([
    { "Sec-Purpose": "prefetch" },
    { "Sec-Purpose": "prefetch;prerender" },
    { Purpose: "prefetch" },
    { "X-Purpose": "preview" },
    { "X-Moz": "prefetch" },
  ])("is none while a browser only prepares it: %j", (headers) => {
    expect(of(CHROME, headers as Record<string, string>)).toBe(false);
  });

  it("is none by HEAD", () => {
    expect(of(CHROME, {}, "HEAD")).toBe(false);
  });
});
