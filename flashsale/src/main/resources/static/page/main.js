// SPDX-License-Identifier: Apache-2.0
/** Shows each message of api/live. */

import { Chart } from "./charts.js";
import { count, duration, rate, span, time, unknown, words } from "./format.js";
import { listen } from "./live.js";
import { authorization, fillSelect, forceRelease, loggedIn, offerCampaigns, showRush, start } from "./operator.js";
import { Table } from "./tables.js";

const element = (id) => document.getElementById(id);

const OUTCOMES = [
  "issued", "replayed", "alreadyIssued", "soldOut", "closed", "notOpen", "limited", "unavailable", "unknown",
];

const lines = (...names) => names.map((name, i) => ({ name, colour: `--line-${i + 1}`, dash: i > 0 ? [6, 3] : undefined }));

const charts = {
  decisions: new Chart(
    "chart-decisions",
    OUTCOMES.map((outcome, i) => ({ name: words(outcome), colour: `--line-${i + 1}`, dash: i > 4 ? [6, 3] : undefined })),
    (values) => OUTCOMES.map((outcome, i) => `${words(outcome)} ${rate(values[i])}`).join(", "),
  ),
  latency: new Chart("chart-latency", lines("median", "99 of 100"), ([p50, p99]) =>
    `median ${p50 ?? unknown} ms, 99 of 100 within ${p99 ?? unknown} ms`),
  left: new Chart("chart-left", lines("left"), ([left]) => `${count(left)} units left`),
  recorded: new Chart("chart-recorded", lines("in Redis", "in the database"), ([redis, database]) =>
    `event ${count(redis)} in Redis, ${count(database)} in the database`),
  lag: new Chart("chart-lag", lines("not yet recorded"), ([lag]) => `${count(lag)} events not yet recorded`),
};

const recording = [
  { name: "Relay", text: (row) => words(row.recording.relay), bad: (row) => /regressed|stopped/.test(row.recording.relay) },
  { name: "In Redis", number: true, text: (row) => count(row.recording.redisSequence) },
  { name: "In the database", number: true, text: (row) => count(row.recording.recordedSequence) },
  { name: "Lag", number: true, text: (row) => count(row.recording.lag) },
  { name: "Drift", number: true, text: (row) => count(row.recording.drift), bad: (row) => row.recording.drift },
  { name: "Checked", text: (row) => time(row.recording.checkedAt) },
];

const sale = [
  { name: "Id", number: true, text: (row) => String(row.id) },
  { name: "Name", text: (row) => row.name },
  { name: "State", text: (row) => words(row.state), bad: (row) => row.state === "missing" },
  { name: "Units", number: true, text: (row) => count(row.units) },
  { name: "Left", number: true, text: (row) => count(row.left) },
];

function releaseButton(name) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Force release" });
  button.setAttribute("aria-label", `Force release of ${name}`);
  button.addEventListener("click", () => forceRelease(name));
  return button;
}

const tables = {
  campaigns: new Table("campaigns", [...sale, { name: "Users", number: true, text: (row) => count(row.users) }, ...recording],
    "There is no campaign yet. An operator makes the first one above."),
  products: new Table("products", [
    ...sale,
    { name: "Held", number: true, text: (row) => count(row.held) },
    { name: "Stock", number: true, text: (row) => count(row.stock) },
    ...recording,
  ], "There is no product yet."),
  locks: new Table("locks", [
    { name: "Lock", text: (row) => row.name },
    { name: "Holder", text: (row) => holder(row) },
    { name: "Since", text: (row) => time(row.since) },
    { name: "Fence", number: true, text: (row) => String(row.fence) },
    { name: "Lapses in", number: true, text: (row) => span(row.remainingMillis), bad: (row) => row.remainingMillis === null },
    { name: "Waiting processes", number: true, text: (row) => count(row.waiting) },
    { name: "Waiting here", number: true, text: (row) => count(row.waitingHere) },
    { name: "Action", make: releaseButton, update: (button) => { button.disabled = !loggedIn(); } },
  ], "Nobody holds a lock."),
  limits: new Table("limits", [
    { name: "Limit", text: (row) => row.name },
    { name: "Policy", text: (row) => row.policy },
    { name: "Allowed per second", number: true, text: (row) => rate(row.allowedPerSecond) },
    { name: "Denied per second", number: true, text: (row) => rate(row.deniedPerSecond) },
    { name: "Redis", text: (row) => (row.away ? "away" : "answers"), bad: (row) => row.away },
  ], "There is no limit."),
  scripts: new Table("scripts", [
    { name: "Script", text: (row) => row.name },
    { name: "Calls per second", number: true, text: (row) => rate(row.callsPerSecond) },
    { name: "Mean time", number: true, text: (row) => duration(row.meanMicros) },
    { name: "Calls", number: true, text: (row) => count(row.calls) },
    { name: "NOSCRIPT", number: true, text: (row) => count(row.noScript) },
    { name: "BUSY", number: true, text: (row) => count(row.busy), bad: (row) => row.busy },
    { name: "CROSSSLOT", number: true, text: (row) => count(row.crossSlot), bad: (row) => row.crossSlot },
    { name: "Resent", number: true, text: (row) => count(row.resent) },
    { name: "Unknown", number: true, text: (row) => count(row.unknown), bad: (row) => row.unknown },
    { name: "Failed", number: true, text: (row) => count(row.failed), bad: (row) => row.failed },
  ], "No script has run yet."),
};

function holder(row) {
  const process = row.pid ? `${row.host || "unknown host"}, process ${row.pid}` : row.host || "unknown";
  return row.application ? `${row.application} (${process})` : process;
}

let focused = null;

function show(view) {
  const seconds = Date.parse(view.at) / 1000;
  const { decisions } = view;
  const lag = [...view.campaigns, ...view.products].reduce((sum, row) => sum + row.recording.lag, 0);
  element("figure-rate").textContent = rate(decisions.total);
  element("figure-total").textContent = count(decisions.sinceStart);
  element("figure-p50").textContent = duration(decisions.p50Micros);
  element("figure-p99").textContent = duration(decisions.p99Micros);
  element("figure-lag").textContent = count(lag);

  charts.decisions.add(seconds, OUTCOMES.map((outcome) => decisions.perSecond[outcome] ?? 0));
  charts.latency.add(seconds, [decisions.p50Micros, decisions.p99Micros].map((micros) => (micros === null ? null : micros / 1000)));
  charts.lag.add(seconds, [lag]);
  focus(view.campaigns, seconds);

  tables.campaigns.show(view.campaigns, "id");
  tables.products.show(view.products, "id");
  tables.locks.show(view.locks, "name");
  tables.limits.show(view.limits, "name");
  tables.scripts.show(view.scripts, "name");
  offerCampaigns(view.campaigns);
  showRush(view.rush);
}

/** The charts of one campaign begin anew when another is chosen. */
function focus(campaigns, seconds) {
  const select = element("focus");
  fillSelect(select, campaigns.map((campaign) => [String(campaign.id), `${campaign.name} (${campaign.id})`]));
  const campaign = campaigns.find((each) => String(each.id) === select.value) ?? campaigns[0];
  if (campaign?.id !== focused) {
    focused = campaign?.id;
    charts.left.clear();
    charts.recorded.clear();
  }
  charts.left.add(seconds, [campaign?.left]);
  charts.recorded.add(seconds, [campaign?.recording.redisSequence, campaign?.recording.recordedSequence]);
}

const STATES = { live: "live", away: "not connected, trying again", closed: "log in to see live data" };

function connection(state) {
  const badge = element("connection");
  if (badge.textContent !== STATES[state]) {
    badge.textContent = STATES[state];
  }
  badge.classList.toggle("bad", state !== "live");
}

function colours() {
  const select = element("theme");
  const apply = () => {
    document.documentElement.dataset.theme = select.value;
    Object.values(charts).forEach((chart) => chart.draw());
  };
  select.value = localStorage.getItem("theme") ?? "auto";
  select.addEventListener("change", () => {
    localStorage.setItem("theme", select.value);
    apply();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  apply();
}

start();
colours();
listen(authorization, show, connection);
