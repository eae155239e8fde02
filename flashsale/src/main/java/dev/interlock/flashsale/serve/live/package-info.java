// SPDX-License-Identifier: Apache-2.0
/** What the page shows: one picture a second of decisions, recording, locks, limits and scripts; and the rush it starts. */
@NullMarked
package dev.interlock.flashsale.serve.live;

import org.jspecify.annotations.NullMarked;
