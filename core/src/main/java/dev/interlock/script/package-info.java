// SPDX-License-Identifier: Apache-2.0
/** Your own scripts, run the way Interlock runs its own. */
@NullMarked
package dev.interlock.script;

import org.jspecify.annotations.NullMarked;
