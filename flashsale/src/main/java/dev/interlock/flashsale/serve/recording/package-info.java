// SPDX-License-Identifier: Apache-2.0
/** A relay and a scheduled check for each pool, and back-pressure when the database is too far behind. */
@NullMarked
package dev.interlock.flashsale.serve.recording;

import org.jspecify.annotations.NullMarked;
