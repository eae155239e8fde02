// SPDX-License-Identifier: Apache-2.0
/** Numbers and times as people read them. What is not known is a dash. */

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });

export const unknown = "–";

const known = (value) => value !== null && value !== undefined;

export const count = (value) => (known(value) ? whole.format(value) : unknown);

export const rate = (value) => (known(value) ? (value < 10 ? fine : whole).format(value) : unknown);

/** Microseconds, as milliseconds where that reads better. */
export function duration(micros) {
  if (!known(micros)) {
    return unknown;
  }
  return micros < 1000 ? `${fine.format(micros)} µs` : `${fine.format(micros / 1000)} ms`;
}

export const time = (iso) => (known(iso) ? clock.format(new Date(iso)) : unknown);

export const span = (ms) => (known(ms) ? `${fine.format(ms / 1000)} s` : "for ever");

/** "alreadyIssued" becomes "already issued". */
export const words = (text) => text.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
