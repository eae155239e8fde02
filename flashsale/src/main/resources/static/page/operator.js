// SPDX-License-Identifier: Apache-2.0
/** What an operator may do. The credentials stay in this page's memory only. */

import { count } from "./format.js";

const element = (id) => document.getElementById(id);

let credentials = null;

export const loggedIn = () => credentials !== null;

/** The header that says who asks, if an operator is logged in. */
export const authorization = () => (credentials ? { Authorization: credentials } : {});

/** Sends a request as the operator. Says what went wrong, and throws then. */
async function ask(method, path, body) {
  const headers = { ...authorization(), Accept: "application/json, application/problem+json" };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    headers["Idempotency-Key"] = crypto.randomUUID();
  }
  // Without credentials of the browser's own, or it would ask for them in a window.
  const options = { method, headers, credentials: "omit", body: body === undefined ? undefined : JSON.stringify(body) };
  const answer = await fetch(path, options).catch(() => null);
  const content = await answer?.json().catch(() => null);
  if (!answer?.ok) {
    throw new Error(content?.detail ?? content?.title ?? "the service does not answer");
  }
  return content;
}

function say(text) {
  element("message").textContent = text;
}

/** Runs what a form asks for; a failure is told, not thrown. */
function on(id, event, action) {
  element(id).addEventListener(event, async (given) => {
    given.preventDefault();
    try {
      await action();
    } catch (failure) {
      say(`That did not work: ${failure.message}`);
    }
  });
}

function enter(open) {
  element("login").hidden = open;
  element("operator-tools").hidden = !open;
  document.body.classList.toggle("operator", open);
}

async function logIn() {
  const pair = new TextEncoder().encode(`${element("operator-name").value}:${element("operator-password").value}`);
  credentials = `Basic ${btoa(String.fromCharCode(...pair))}`;
  try {
    await ask("GET", "api/operator/pools");
  } catch (failure) {
    credentials = null;
    throw failure;
  }
  element("operator-password").value = "";
  enter(true);
  say("You are logged in.");
}

async function createCampaign() {
  const made = await ask("POST", "api/campaigns", {
    name: element("create-name").value,
    units: Number(element("create-units").value),
  });
  say(`Campaign ${made.id} has ${count(made.units)} units.`);
}

async function startRush() {
  const rush = await ask("POST", "api/rush", {
    campaignId: Number(element("rush-campaign").value),
    requests: Number(element("rush-requests").value),
    users: Number(element("rush-users").value),
  });
  say(`Rush ${rush.id} has begun.`);
}

/** Asks for a reason, then takes the lock away. */
export async function forceRelease(name) {
  const dialog = element("release");
  element("release-name").textContent = name;
  element("release-reason").value = "";
  dialog.returnValue = "cancel";
  dialog.showModal();
  await new Promise((closed) => dialog.addEventListener("close", closed, { once: true }));
  if (dialog.returnValue !== "release") {
    return;
  }
  try {
    const done = await ask("POST", "api/operator/locks/release", { name, reason: element("release-reason").value });
    say(done.released ? `The lock ${name} was taken away.` : `Nobody held the lock ${name} any more.`);
  } catch (failure) {
    say(`That did not work: ${failure.message}`);
  }
}

/** Shows the rush under way or the last one. */
export function showRush(rush) {
  const running = rush?.state === "running";
  element("rush-state").hidden = !rush;
  element("rush-progress").hidden = !running;
  element("rush-start").disabled = running;
  element("rush-stop").disabled = !running;
  if (rush) {
    element("rush-progress").value = rush.done / rush.requests;
    element("rush-state").textContent =
      `Rush ${rush.id} at campaign ${rush.campaignId}: ${rush.state}, ${count(rush.done)} of ${count(rush.requests)} requests answered, ${count(rush.issued)} units issued.`;
  }
}

/** Fills the choice of campaigns, keeping what is chosen. */
export function offerCampaigns(campaigns) {
  const select = element("rush-campaign");
  const wanted = campaigns.map((campaign) => [String(campaign.id), `${campaign.name} (${campaign.id})`]);
  fillSelect(select, wanted);
}

export function fillSelect(select, wanted) {
  const fixed = [...select.options].filter((option) => option.value === "");
  const now = [...select.options].filter((option) => option.value !== "").map((option) => `${option.value} ${option.text}`);
  if (now.join("\n") === wanted.map((pair) => pair.join(" ")).join("\n")) {
    return;
  }
  const chosen = select.value;
  select.replaceChildren(...fixed, ...wanted.map(([value, text]) => new Option(text, value)));
  if (wanted.some(([value]) => value === chosen)) {
    select.value = chosen;
  }
}

export function start() {
  on("login", "submit", logIn);
  on("create", "submit", createCampaign);
  on("rush", "submit", startRush);
  on("rush-stop", "click", () => ask("DELETE", "api/rush"));
  on("logout", "click", () => {
    credentials = null;
    enter(false);
    say("You are logged out.");
  });
}
