// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

/** How a request ended for the client that made it. */
enum Answer {
    ISSUED,
    REPLAYED,
    ALREADY_ISSUED,
    SOLD_OUT,
    /** No answer after every try; the unit may have been issued. */
    UNKNOWN,
    /** An answer that an open pool must not give. */
    UNEXPECTED
}
