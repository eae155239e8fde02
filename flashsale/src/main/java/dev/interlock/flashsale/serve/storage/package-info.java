// SPDX-License-Identifier: Apache-2.0
/** The database of the service: two connection pools, its tables, and calls away from the event loop. */
@NullMarked
package dev.interlock.flashsale.serve.storage;

import org.jspecify.annotations.NullMarked;
