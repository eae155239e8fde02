// SPDX-License-Identifier: Apache-2.0
/** Rules for every request: sizes, origins, identity, and errors as problem details. */
@NullMarked
package dev.interlock.flashsale.serve.web;

import org.jspecify.annotations.NullMarked;
