// SPDX-License-Identifier: Apache-2.0
/** Work that is done once for a key, and answered again with the stored response. */
@NullMarked
package dev.interlock.idempotency;

import org.jspecify.annotations.NullMarked;
