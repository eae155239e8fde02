// SPDX-License-Identifier: Apache-2.0
/** What the features are built on. Not for users: anything here may change in any release. */
@NullMarked
package dev.interlock.internal;

import org.jspecify.annotations.NullMarked;
