// SPDX-License-Identifier: Apache-2.0
/** Reads api/live. Not by EventSource, which cannot send the operator's credentials where the service asks for them. */

const RETRY_MS = 1000;

/**
 * Listens for ever; after a lost connection it tries again.
 * @param headers gives what to send with the request, anew for each attempt
 * @param onView takes each message
 * @param onState takes "live", "away" or "closed" (only operators may listen)
 */
export async function listen(headers, onView, onState) {
  for (;;) {
    try {
      const answer = await fetch("api/live", { headers: headers(), credentials: "omit", cache: "no-store" });
      if (answer.ok) {
        onState("live");
        await read(answer.body, onView);
      }
      onState(answer.status === 401 || answer.status === 403 ? "closed" : "away");
    } catch {
      onState("away");
    }
    await new Promise((again) => setTimeout(again, RETRY_MS));
  }
}

async function read(body, onView) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const event of events) {
      const data = event.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5)).join("\n");
      if (data) {
        onView(JSON.parse(data));
      }
    }
  }
}
