import { UserFault } from "../../local/processes.ts";
import { fetchPublished, publishedVersion } from "../../release/published.ts";
import { isRaisedEnough, kindOfRelease, surfaceOf } from "../../release/surface.ts";
import { version } from "../../release/version.ts";
import { describeApi } from "../../site/openapi/document.ts";
import { type DeploymentRecord, publishedFolder } from "./record.ts";
import { tell } from "./steps.ts";

/** Of what has changed, so much is said. */
const SHOWN = 8;

/**
 * Fetches the packages that the service has published, which go on being served. Returns their folder. @throws UserFault if the API has
 * changed since, and the version of the packages does not say so
 */
export async function keepPublished(record: DeploymentRecord, api: string, isNew: boolean): Promise<string> {
  const folder = publishedFolder(record);
  const lost = isNew ? null : await fetchPublished(api, folder);
  if (lost !== null) {
    tell(`WARNING: ${lost}. Of the published packages, those go on being served that an earlier deployment has left in ${folder}`);
    return folder;
  }
  const before = publishedVersion(folder);
  if (before === null) {
    tell("nothing was published before");
    return folder;
  }
  const { kind, because } = kindOfRelease(surfaceOf(await liveDescription(api)), surfaceOf(describeApi()));
  if (!isRaisedEnough(before, version, kind)) {
    const reasons = because.slice(0, SHOWN).map((line) => `\n- ${line}`);
    const more = because.length > SHOWN ? `\n- and ${because.length - SHOWN} more` : "";
    throw new UserFault(
      `The API has changed since ${before} was published, which is a ${kind} release. Raise the version in packages/release.json.${reasons.join("")}${more}`,
    );
  }
  tell(`${before} and what is older goes on being served; this is ${version}`);
  return folder;
}

/** The description that the service serves; an empty one if it cannot be read. */
async function liveDescription(api: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const found: unknown = await (await fetch(`${api}/openapi.json`, { redirect: "error" })).json();
    return typeof found === "object" && found !== null ? { ...found } : {};
  } catch {
    return {};
  }
}
