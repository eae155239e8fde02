// SPDX-License-Identifier: Apache-2.0
package sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spring.test.InterlockTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest
@InterlockTest
class OrdersTest {
    @Autowired
    private Orders orders;

    @Test
    void changesOrdersUnderLockAndLimit() throws Exception {
        long first = orders.change("42", "user");
        assertThat(first).isPositive();
        assertThat(orders.change("42", "user")).isGreaterThan(first);
        assertThat(orders.change("42", "user")).isZero();
    }
}
