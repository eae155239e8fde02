// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import static dev.interlock.script.ScriptArgs.args;
import static dev.interlock.script.ScriptKeys.keys;
import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.embedded.RedisServer;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.IssueResult.Issued;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import dev.interlock.script.Reply;
import dev.interlock.script.Script;
import dev.interlock.script.lint.ScriptLint;
import dev.interlock.stock.StockCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The examples of the documents, run as they stand there. */
class ReadmeIT {
    @Test
    void theExampleOfTheReadmeRuns() {
        try (RedisServer server = RedisServer.start();
                Interlock interlock = Topology.connect(server)) {
            Pool coupons = interlock.pool("spring-sale");
            coupons.create(PoolConfig.of(10_000));

            IssueResult result = coupons.issue("user-42", "request-7f3a");
            if (result instanceof Issued issued) {
                System.out.println("unit " + issued.sequence() + ", " + issued.left() + " left");
            }

            StockCounter stock = interlock.stock("sku-1001");
            stock.initialize(5);
            stock.take(2, "order-1");
            stock.giveBack("order-1");

            assertThat(result).isEqualTo(new Issued(1, 9_999));
            assertThat(stock.available()).hasValue(5);
        }
    }

    @Test
    void theScriptOfTheDocumentRunsAndHasNoFinding() throws IOException {
        String document = Files.readString(Path.of("../docs/scripts.md"));
        String source = document.split("```lua\n", -1)[1].split("```", -1)[0];
        assertThat(ScriptLint.check("transfer", source)).isEmpty();
        Script<Long> transfer = Script.of("transfer", source, Reply.integer());
        try (RedisServer server = RedisServer.start();
                Interlock interlock = Topology.connect(server)) {
            Script<Long> fill =
                    Script.of("fill", source.replace("'GET', from) or '0'", "'GET', from) or '100'"), Reply.integer());
            assertThat(interlock.scripts().run(fill, keys("{acct:7}:from", "{acct:7}:to"), args("25")))
                    .isEqualTo(-25);
            assertThat(interlock.scripts().run(transfer, keys("{acct:7}:to", "{acct:7}:from"), args("25")))
                    .isZero();
            assertThat(interlock.scripts().run(transfer, keys("{acct:7}:to", "{acct:7}:from"), args("25")))
                    .isEqualTo(-1);
        }
    }
}
