// SPDX-License-Identifier: Apache-2.0
/** What users are told about units, counted and timed. */
@NullMarked
package dev.interlock.flashsale.serve.decision;

import org.jspecify.annotations.NullMarked;
