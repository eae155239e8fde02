// SPDX-License-Identifier: Apache-2.0
/** What commands share: how they fail, and how they show that they get on. */
@NullMarked
package dev.interlock.flashsale.console;

import org.jspecify.annotations.NullMarked;
