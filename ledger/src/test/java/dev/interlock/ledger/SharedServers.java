// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.embedded.RedisServer;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The servers of all test classes that do no harm to them; started once, closed at the end of the run. */
final class SharedServers implements BeforeAllCallback {
    private Servers servers;

    Servers get() {
        return servers;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        servers = context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(Servers.class, type -> new Servers(RedisServer.builder()), Servers.class);
    }
}
