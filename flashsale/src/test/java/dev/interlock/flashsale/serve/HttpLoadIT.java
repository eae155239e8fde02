// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.flashsale.serve.storage.Database;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Shop.Shared.class)
class HttpLoadIT {
    private final Shop shop;

    HttpLoadIT(Shop shop) {
        this.shop = shop;
    }

    private long rows(String kind) {
        return shop.bean(Database.class)
                .jdbc()
                .sql("SELECT count(*) FROM interlock_event WHERE user_id LIKE 'user-%' AND kind = :kind")
                .param("kind", kind)
                .query(Long.class)
                .single();
    }

    @Test
    void mixedTrafficOverManyConnectionsMeetsNoErrorAndCountsExactly() {
        HttpLoad.Report report = new HttpLoad(shop.base(), Shop.OPERATOR, 500).run(5_000, 3_000);

        // 4,000 ask for a coupon, 400 of them for the second time.
        assertThat(report.answers().keySet())
                .isSubsetOf(
                        "coupon 201", "coupon 200", "coupon 410", "coupon 503", "show 200", "hold 201", "decrease 200");
        assertThat(report.of("coupon 503")).as("%s", report).isZero();
        assertThat(report.of("coupon 201")).isEqualTo(3_000);
        assertThat(report.of("coupon 201") + report.of("coupon 200") + report.of("coupon 410"))
                .isEqualTo(4_000);
        assertThat(report.of("show 200")).isEqualTo(700);
        assertThat(report.of("hold 201")).isEqualTo(250);
        assertThat(report.of("decrease 200")).isEqualTo(50);
        await().atMost(Duration.ofSeconds(20)).until(() -> rows("ISSUED") == 3_000 && rows("HELD") == 250);
    }
}
