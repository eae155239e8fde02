// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

/** What a release met. Only {@link Released} changed anything. */
public sealed interface ReleaseResult {
    /** The lease was still owned and is given back. */
    record Released() implements ReleaseResult {}

    /** Nobody owned it: the lease had lapsed, had been removed, or had been released before. */
    record Expired() implements ReleaseResult {}

    /** Another owns it now, and keeps it: the lease had lapsed before. */
    record OwnedByAnother() implements ReleaseResult {}
}
