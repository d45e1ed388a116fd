import * as z from "zod";
import { isoTime } from "../core/clock.ts";
import type { ServiceError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { storedError } from "./answer.ts";
import type { Decision, VersionProtocol } from "./protocol.ts";
import type { IdempotencyRecord } from "./store.ts";

/** What a repeat of a request would do, decided by the same table as the repeat itself. */
export interface Explanation {
  readonly state: IdempotencyRecord["state"];
  /** The effect of a repeat with the same body, unless a run is in progress. */
  readonly repeat: Decision;
  readonly words: Words;
}

/** Sentences in English, as the interface has them, and in Russian, as pages show them. Times are in ISO 8601. */
interface Words {
  readonly en: string;
  readonly ru: string;
}

const words = (en: string, ru: string): Words => ({ en, ru });
const NOTHING = words("", "");

/** Sentences one after the other. */
const joined = (...parts: readonly Words[]): Words => {
  const said = parts.filter(({ en }) => en !== "");
  return words(said.map(({ en }) => en).join(" "), said.map(({ ru }) => ru).join(" "));
};

/** Of a key without a record. */
export const NEVER_USED =
  "This key was never used: no operation was started under it. A refused request (input, permission, product) leaves no record. A repeat is checked again, and carried out.";

const OTHER_BODY = words(
  "A request with another body is refused: the key was used with this one.",
  "Запрос с другим содержимым отклоняется: ключ уже использован с этим содержимым.",
);

/** What a repeat of a request does whose record has expired. */
export const EXPIRED = words(
  "Its record has expired: the same content is a new request.",
  "Срок хранения записи о запросе истёк: запрос с тем же содержимым считается новым.",
);

/**
 * Explains a key at the time `now` (Unix milliseconds). This function cannot know whether a run is in progress: a
 * record in the state `running` was either written recently, or its run was interrupted.
 */
export function explainKey(generation: VersionProtocol, record: IdempotencyRecord, now: number): Explanation {
  const protocol = generation.forKey(record.key);
  const { replayWindow } = protocol;
  const { state, completedAt } = record;
  const expired = replayWindow !== null && completedAt !== null && now - completedAt > replayWindow;
  const situation = { stored: state, live: false, samePayload: true, expired, resumable: record.resumable, manual: false };
  const repeat = protocol.decide(situation);
  return { state, repeat, words: joined(stateOf(record), repeatOf(repeat, record, generation, replayWindow, now), OTHER_BODY) };
}

const resultSchema = z.record(z.string(), z.unknown());

/** The ids in a record's result, by field name; empty if it has none. Addresses and secrets are not ids. */
export function resultIdsOf(record: IdempotencyRecord | undefined): Record<string, string> {
  if (record === undefined || record.result === null) return {};
  const result = resultSchema.safeParse(JSON.parse(record.result)).data ?? {};
  return Object.fromEntries(
    Object.entries(result).flatMap(([name, value]) =>
      /(?:^id|Id|slug)$/.test(name) && (typeof value === "string" || typeof value === "number") ? [[name, String(value)]] : [],
    ),
  );
}

function stateOf(record: IdempotencyRecord): Words {
  const updated = isoTime(record.updatedAt);
  switch (record.state) {
    case "completed": {
      const done = isoTime(record.completedAt ?? record.updatedAt);
      return words(`The request was carried out at ${done}.`, `Запрос выполнен: ${done}.`);
    }
    case "running":
      return words(
        `The request was started, and has no result yet; its last update was at ${updated}.`,
        `Запрос начат, результата ещё нет; последнее изменение: ${updated}.`,
      );
    case "awaiting_short_link":
      return words(
        `The link was created, but its short link failed at ${updated}.`,
        `Ссылка создана, но короткий адрес для неё выпустить не удалось (попытка ${updated}).`,
      );
    case "failed":
      return joined(words(`The last attempt failed at ${updated}.`, `Последняя попытка (${updated}) не удалась.`), failureOf(record));
    case "failed_terminal":
      return joined(
        words(`The key failed permanently at ${updated}.`, `Попытки с этим ключом закончились ошибкой, последняя — ${updated}.`),
        failureOf(record),
      );
  }
}

function repeatOf(
  decision: Decision,
  record: IdempotencyRecord,
  generation: VersionProtocol,
  replayWindow: number | null,
  now: number,
): Words {
  switch (decision) {
    case "replay": {
      if (replayWindow === null)
        return words("A repeat gives the same result, at any time.", "Повтор даёт тот же результат в любое время.");
      const until = isoTime((record.completedAt ?? now) + replayWindow);
      return words(
        `A repeat gives the same result until ${until}, as long as what was created can be used; after that it is carried out again.`,
        `Повтор даёт тот же результат до ${until}, пока созданным можно пользоваться; потом он выполняется заново.`,
      );
    }
    case "start_over":
      if (record.state !== "completed") return newAttempt(record, generation);
      return words(
        "Its replay window is over: a repeat is carried out again.",
        "Время, когда повтор даёт тот же результат, прошло: повтор выполняется заново.",
      );
    case "resume":
      return resumption(record, generation);
    case "refuse_after_failure":
      return words(
        "A repeat is refused with PREVIOUS_ATTEMPT_FAILED: it takes a new token.",
        "Повтор отклоняется с PREVIOUS_ATTEMPT_FAILED: нужен новый токен.",
      );
    case "repeat_failure":
      return record.state === "awaiting_short_link"
        ? words(
            "A repeat gets the same error until an operator has created the short link (`short-links complete`).",
            "Повтор получает ту же ошибку, пока поддержка не выпустит короткий адрес.",
          )
        : words(
            "A repeat gets this error again, and nothing is tried: it takes a new key.",
            "Повтор снова получает эту ошибку, и ничего не делается: нужен новый ключ.",
          );
    case "start":
    case "join":
    case "refuse_in_progress":
    case "refuse_different_payload":
      return words("A repeat is carried out.", "Повтор выполняется.");
  }
}

function newAttempt(record: IdempotencyRecord, generation: VersionProtocol): Words {
  const first =
    record.compensateAt === null
      ? words("A repeat makes a new attempt.", "Повтор делает новую попытку.")
      : words(
          "A repeat first compensates the last attempt, then makes a new one. If the compensation fails, the repeat gets the last error again.",
          "Повтор сначала отменяет последнюю попытку, потом делает новую. Если отменить не удаётся, повтор снова получает последнюю ошибку.",
        );
  return joined(first, countOf(record, generation));
}

function resumption(record: IdempotencyRecord, generation: VersionProtocol): Words {
  switch (record.state) {
    case "awaiting_short_link":
      return words(
        "A repeat creates the short link, and never a second link. The cron tries it too.",
        "Повтор выпускает короткий адрес и никогда не создаёт вторую ссылку. Сервис пробует и сам.",
      );
    case "failed": {
      const resumes = words(
        "A repeat resumes where the last attempt stopped, and creates nothing twice.",
        "Повтор продолжает с того места, где остановилась последняя попытка, и ничего не создаёт дважды.",
      );
      const end = record.compensateAt === null ? null : isoTime(record.compensateAt);
      const until =
        end === null ? NOTHING : words(`Until ${end}; after that it makes a new attempt.`, `До ${end}; потом он делает новую попытку.`);
      return joined(resumes, until, countOf(record, generation));
    }
    case "running":
    case "completed":
    case "failed_terminal": {
      const isJoined = generation.forKey(record.key).whileOtherRuns === "wait";
      return words(
        `If it is running now, a repeat ${isJoined ? "waits for its result" : "gets OPERATION_IN_PROGRESS"}. If it was interrupted, a repeat resumes where it stopped, and creates nothing twice.`,
        `Если запрос сейчас выполняется, повтор ${isJoined ? "ждёт его результата" : "получает OPERATION_IN_PROGRESS"}. Если он прерван, повтор продолжает с того же места и ничего не создаёт дважды.`,
      );
    }
  }
}

/** The first generation counts failures in a row with the same error. */
function countOf({ failures }: IdempotencyRecord, { name }: VersionProtocol): Words {
  if (name !== "v1") return NOTHING;
  const left = limits.failedAttempts.count + 1 - failures;
  return words(
    `${failures === 1 ? "It failed once" : `It failed ${failures} times in a row`} with this error; ${left} more ${left === 1 ? "makes" : "make"} it final.`,
    `Неудач подряд с этой ошибкой: ${failures}; до окончательной осталось: ${left}.`,
  );
}

function failureOf(record: IdempotencyRecord): Words {
  const error = storedError(record);
  if (error === null) return NOTHING;
  const { en, ru } = nameOf(error);
  return words(`The error: ${en}.`, `Ошибка: ${ru}.`);
}

const UPSTREAMS = { processor: "процессор", bank: "банк" } as const;

function nameOf(error: ServiceError): Words {
  if (error.kind !== "upstream_failed") return words(error.kind, error.kind);
  const { upstream, code, message } = error;
  return words(`${upstream} ${code ?? "out of reach"} (${message})`, `${UPSTREAMS[upstream]} ${code ?? "не отвечает"} (${message})`);
}
