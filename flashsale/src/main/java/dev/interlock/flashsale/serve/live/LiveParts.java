// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

import org.springframework.stereotype.Component;

/** The parts of a picture that this package makes. */
@Component
record LiveParts(LiveRows rows, ScriptHealth scripts, LockWatch locks, Rushes rushes) {}
