// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.embedded.FaultProxy;
import dev.interlock.embedded.FaultProxy.Mode;
import java.util.List;
import java.util.Random;

/** One random fault after the other; a black hole ends before the next. */
final class Trouble implements Runnable {
    private static final int HOLE_TICKS = 60;

    private final List<FaultProxy> proxies;
    private final Random random;
    private FaultProxy hole;
    private int holeTicks;

    Trouble(List<FaultProxy> proxies, long seed) {
        this.proxies = proxies;
        this.random = new Random(seed);
    }

    @Override
    public void run() {
        if (hole != null) {
            if (--holeTicks == 0) {
                hole.mode(Mode.PASS);
                hole.cutAll();
                hole = null;
            }
            return;
        }
        FaultProxy proxy = proxies.get(random.nextInt(proxies.size()));
        switch (random.nextInt(60)) {
            case 0 -> {
                hole = proxy;
                holeTicks = HOLE_TICKS;
                proxy.mode(random.nextBoolean() ? Mode.BLACKHOLE_REPLIES : Mode.BLACKHOLE_ALL);
            }
            case 1, 2, 3, 4, 5, 6 -> proxy.once(Mode.CUT_BEFORE_REQUEST);
            default -> proxy.once(random.nextBoolean() ? Mode.DROP_REPLY_THEN_FIN : Mode.DROP_REPLY_THEN_CUT);
        }
    }
}
