#!/usr/bin/env node
// A client of appgroupd with fetch, for Node 18 and later: a submit, a submit with events, a batch, a cancel and a
// download.
//
// usage: appgroupd.mjs PICTURE_URL SLOW_URL
//   PICTURE_URL is a picture that the daemon may fetch, and SLOW_URL a picture whose origin takes long.
//   APPGROUPD_URL is the address of the daemon (http://127.0.0.1:8480), and APPGROUPD_TOKEN the token, if it needs one.

import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const RETRIES = 5;

export class Client {
  #base;
  #headers;

  constructor(base, token) {
    this.#base = base;
    this.#headers = token ? { Authorization: `Bearer ${token}` } : {};
  }

  /** Returns the result. The answer is never later than the budget, in seconds. */
  async submit(payload, key, budget = 10) {
    const headers = { "Idempotency-Key": key, "Request-Timeout": `${budget}` };
    const response = await this.#call("POST", "/v1/notifications", { headers, body: JSON.stringify(payload) });
    return response.json();
  }

  /** Returns as soon as the request is durable. */
  async submitAsync(payload, key) {
    const headers = { "Idempotency-Key": key, Prefer: "respond-async" };
    const response = await this.#call("POST", "/v1/notifications", { headers, body: JSON.stringify(payload) });
    return response.json();
  }

  /** Yields the events of a request up to its emission. */
  async *events(key) {
    const response = await this.#call("GET", `/v1/notifications/${key}/events`);
    let name = "";
    for await (const line of lines(response.body)) {
      if (line.startsWith("event: ")) name = line.slice(7);
      if (line.startsWith("data: ")) yield { name, data: JSON.parse(line.slice(6)) };
    }
  }

  /** Returns the result, or the state of an unfinished request. */
  async result(key) {
    return (await this.#call("GET", `/v1/notifications/${key}`)).json();
  }

  /** Yields each result as it is complete, and the summary last. */
  async *batch(requests) {
    const body = requests.map((request) => JSON.stringify(request) + "\n").join("");
    const response = await this.#call("POST", "/v1/notifications:batch", { body });
    for await (const line of lines(response.body)) yield JSON.parse(line);
  }

  async cancel(key) {
    await this.#call("DELETE", `/v1/notifications/${key}`);
  }

  /** Repeats a call that got 429 or 503, after the time in Retry-After. The key makes the repetition harmless. */
  async #call(method, path, { headers = {}, body } = {}) {
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(this.#base + path, { method, body, headers: { ...this.#headers, ...headers } });
      if (response.ok) return response;
      const problem = await response.json();
      if (![429, 503].includes(response.status) || attempt === RETRIES) {
        throw new Error(`${problem.type}: ${problem.detail}`);
      }
      await sleep(1000 * Number(response.headers.get("Retry-After") ?? 1));
    }
  }
}

/** Yields the lines of a body as they arrive. */
async function* lines(body) {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop();
    yield* parts.filter((line) => line !== "");
  }
}

const payload = (image) => ({
  aps: { alert: { title: "Summer", body: "Three days at sea" }, "mutable-content": 1 },
  image,
});

async function main(picture, slow) {
  const client = new Client(process.env.APPGROUPD_URL ?? "http://127.0.0.1:8480", process.env.APPGROUPD_TOKEN);

  const result = await client.submit(payload(picture), randomUUID());
  const attachment = result.content.attachments[0];
  console.log(`submit: ${result.outcome}, ${attachment.mimeType}`);

  let key = randomUUID();
  await client.submitAsync(payload(picture), key);
  for await (const event of client.events(key)) console.log(`event: ${event.name}`);
  console.log(`async: ${(await client.result(key)).outcome}`);

  const recipients = ["anna", "ben", "clara"].map((recipient) => ({
    id: randomUUID(),
    recipient,
    payload: { aps: { alert: { body: `Hello ${recipient}` } } },
  }));
  const answers = [];
  for await (const line of client.batch([{ template: { payload: payload(picture) } }, ...recipients])) answers.push(line);
  if (!answers.at(-1)?.summary?.complete) throw new Error("the batch is not complete: send it again");
  console.log(`batch: ${answers.filter((answer) => answer.line).length} results`);

  key = randomUUID();
  await client.submitAsync(payload(slow), key);
  await client.cancel(key);
  console.log(`cancel: ${(await client.result(key)).outcome}`);

  // A phone downloads the rendition without a token.
  const response = await fetch(attachment.publicURL);
  if (!response.ok) throw new Error(`the download got ${response.status}`);
  const rendition = Buffer.from(await response.arrayBuffer());
  if (createHash("sha256").update(rendition).digest("hex") !== attachment.sha256) {
    throw new Error("the rendition differs from the result");
  }
  console.log(`download: ${rendition.length} bytes`);
}

if (process.argv.length !== 4) {
  console.error("usage: appgroupd.mjs PICTURE_URL SLOW_URL");
  process.exit(2);
}
await main(process.argv[2], process.argv[3]);
