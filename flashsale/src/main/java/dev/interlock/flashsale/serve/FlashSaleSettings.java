// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the service, {@code flashsale.*}: given as environment variables such as {@code FLASHSALE_OPERATOR_PASSWORD}, or
 * in a file {@code application.properties} in the working folder.
 *
 * @param operator who may do what only operators may
 * @param users whether users log in
 * @param couponLimit how many coupon and hold requests one user may make
 * @param maxLag how many events the database may be behind before issuing stops, 1 or more
 * @param maxPools how many campaigns and products there may be, 1 to 10,000; each has a relay
 * @param reconcileEvery how often each pool is checked against the database
 * @param kafka where recorded events are published
 * @param liveOpen whether everybody may read {@code /api/live}; else only operators
 */
@ConfigurationProperties("flashsale")
public record FlashSaleSettings(
        @DefaultValue Operator operator,
        @DefaultValue Users users,
        @DefaultValue UserLimit couponLimit,
        @DefaultValue("100000") long maxLag,
        @DefaultValue("200") int maxPools,
        @DefaultValue("5m") Duration reconcileEvery,
        @DefaultValue Kafka kafka,
        @DefaultValue("false") boolean liveOpen) {

    /**
     * Who may do what only operators may, by HTTP basic authentication.
     *
     * @param name user name
     * @param password plain, or encoded as {@code {bcrypt}…}; a generated one is printed at the start if none is given
     */
    public record Operator(
            @DefaultValue("operator") String name, @Nullable String password) {
        @Override
        public String toString() {
            return "Operator[" + name + "]";
        }
    }

    /**
     * Whether users log in, by HTTP basic authentication. If not, X-User-Id is the identity, and whatever is in front of the
     * service must vouch for it.
     *
     * @param passwords user name to password, plain or encoded as {@code {bcrypt}…}; empty if users do not log in
     */
    public record Users(@DefaultValue Map<String, String> passwords) {
        /**
         * Whether users log in.
         *
         * @return true if there are passwords
         */
        public boolean logIn() {
            return !passwords.isEmpty();
        }

        @Override
        public String toString() {
            return "Users[" + passwords.size() + "]";
        }
    }

    /**
     * Where recorded events are published.
     *
     * @param brokers hosts with ports and commas between, or null to publish nothing
     * @param topic the topic; with several partitions, the events of a pool stay in one
     */
    public record Kafka(
            @Nullable String brokers,
            @DefaultValue("pool-events") String topic) {}

    /**
     * A limit of each user.
     *
     * @param permits how many requests
     * @param period in which time
     */
    public record UserLimit(
            @DefaultValue("50") long permits,
            @DefaultValue("1s") Duration period) {}
}
