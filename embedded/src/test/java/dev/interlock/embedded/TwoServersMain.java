// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.util.concurrent.CountDownLatch;

/** The JVM that {@link NothingLeftBehindIT} kills: starts both servers, prints their ids, waits for its end. */
final class TwoServersMain {
    private TwoServersMain() {}

    public static void main(String[] args) throws InterruptedException {
        RedisServer redis = RedisServer.builder().appendOnly().start();
        PostgresServer postgres = PostgresServer.start();
        switch (args[0]) {
            case "paused" -> {
                redis.pause();
                postgres.pause();
            }
            case "crashed" -> {
                redis.kill();
                postgres.kill();
            }
            default -> {}
        }
        System.out.println("STARTED " + redis.pid() + " " + postgres.pid());
        new CountDownLatch(1).await();
    }
}
