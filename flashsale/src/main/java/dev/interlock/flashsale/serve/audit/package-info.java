// SPDX-License-Identifier: Apache-2.0
/** The record of what operators did, and why. */
@NullMarked
package dev.interlock.flashsale.serve.audit;

import org.jspecify.annotations.NullMarked;
