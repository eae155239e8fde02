// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import dev.interlock.Codec;
import dev.interlock.idempotency.Idempotency;
import dev.interlock.idempotency.IdempotencyConfig;
import dev.interlock.limit.Limit;
import dev.interlock.limit.RateLimiter;
import dev.interlock.limit.RateLimiterOptions;
import dev.interlock.lock.Lease;
import dev.interlock.lock.LockOptions;
import dev.interlock.spring.annotation.GuardedMethods.Site;
import dev.interlock.spring.limit.LimitText;
import java.lang.annotation.Annotation;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;

/**
 * Puts the guard of one annotation around the methods that carry it: limits outermost, then idempotency, then locks, all
 * outside of transactions with their default order. A {@link GuardChecks} belongs to each. Thread-safe.
 */
public final class GuardAdvisor extends AbstractPointcutAdvisor {
    private static final long serialVersionUID = 1L;

    private static final int LOCKED = Ordered.LOWEST_PRECEDENCE - 100;
    private static final int IDEMPOTENT = LOCKED - 100;
    private static final int RATE_LIMITED = IDEMPOTENT - 100;
    private static final int TIMEOUTS_PER_LEASE = 3;
    private static final long MAX_COST = Limit.MAX_PERMITS;

    private final transient GuardedMethods<?> methods;
    private final transient GuardInterceptor advice;
    private final transient @Nullable Advisor innermost;
    private final boolean outsideTransactions;

    private <A extends Annotation> GuardAdvisor(
            Surroundings surroundings, int order, GuardedMethods<A> methods, boolean locks) {
        this.methods = methods;
        this.advice = new GuardInterceptor(methods, surroundings::executor);
        this.innermost = locks ? new DefaultPointcutAdvisor(methods, new LeaseCheck(methods)) : null;
        this.outsideTransactions = order != RATE_LIMITED;
        setOrder(order);
    }

    /**
     * For {@link Locked}.
     *
     * @param beans the application's
     * @param commandTimeout longest time that one call to Redis takes; a lease must be longer than three times that
     * @return the advisor
     */
    public static GuardAdvisor locked(ConfigurableListableBeanFactory beans, Supplier<Duration> commandTimeout) {
        Surroundings surroundings = new Surroundings(beans);
        return new GuardAdvisor(
                surroundings,
                LOCKED,
                new GuardedMethods<>(Locked.class, (locked, site) -> lock(surroundings, locked, site, commandTimeout)),
                true);
    }

    private static Guard lock(Surroundings surroundings, Locked locked, Site site, Supplier<Duration> commandTimeout) {
        NameTemplate template = site.template("name", locked.name());
        LockOptions unset = LockOptions.DEFAULTS;
        Duration leaseTime = surroundings.duration("leaseTime", locked.leaseTime(), unset.leaseTime());
        Duration least = commandTimeout.get().multipliedBy(TIMEOUTS_PER_LEASE);
        if (leaseTime.compareTo(least) <= 0) {
            throw new IllegalArgumentException("leaseTime must be longer than " + least
                    + ", three times interlock.command-timeout, but is " + leaseTime);
        }
        LockOptions options = (locked.renewal() ? unset.withLeaseTime(leaseTime) : unset.withoutRenewal(leaseTime))
                .withWaitTime(surroundings.duration("waitTime", locked.waitTime(), unset.waitTime()));
        int leaseParameter = Arrays.asList(site.method().getParameterTypes()).indexOf(Lease.class);
        template.literal().ifPresent(name -> surroundings.interlock().lock(name, options));
        return new LockGuard(
                name -> surroundings.interlock().lock(name, options), template, options.waitTime(), leaseParameter);
    }

    /**
     * For {@link RateLimited}.
     *
     * @param beans the application's
     * @return the advisor
     */
    public static GuardAdvisor rateLimited(ConfigurableListableBeanFactory beans) {
        Surroundings surroundings = new Surroundings(beans);
        return new GuardAdvisor(
                surroundings,
                RATE_LIMITED,
                new GuardedMethods<>(RateLimited.class, (limited, site) -> limit(surroundings, limited, site)),
                false);
    }

    private static Guard limit(Surroundings surroundings, RateLimited limited, Site site) {
        String name = limited.name().isEmpty() ? site.name() : limited.name();
        Limit[] limits = Arrays.stream(limited.limit())
                .map(text -> LimitText.parse(surroundings.filled(text), limited.algorithm()))
                .toArray(Limit[]::new);
        if (limited.cost() < 1 || limited.cost() > MAX_COST) {
            throw new IllegalArgumentException("cost must be from 1 to " + MAX_COST + " but is " + limited.cost());
        }
        RateLimiterOptions unset = RateLimiterOptions.DEFAULT;
        RateLimiterOptions options = new RateLimiterOptions(
                limited.outage(),
                unset.expectedNodes(),
                surroundings.duration("deadline", limited.deadline(), unset.deadline()),
                unset.denialCacheSize());
        RateLimiter limiter = surroundings.interlock().rateLimiter(name, options, limits);
        return new LimitGuard(limiter, name, site.template("key", limited.key()), limited.cost());
    }

    /**
     * For {@link Idempotent}. Needs Jackson.
     *
     * @param beans the application's
     * @return the advisor
     */
    public static GuardAdvisor idempotent(ConfigurableListableBeanFactory beans) {
        Surroundings surroundings = new Surroundings(beans);
        return new GuardAdvisor(
                surroundings,
                IDEMPOTENT,
                new GuardedMethods<>(Idempotent.class, (idempotent, site) -> once(surroundings, idempotent, site)),
                false);
    }

    private static Guard once(Surroundings surroundings, Idempotent idempotent, Site site) {
        String name = idempotent.name().isEmpty() ? site.name() : idempotent.name();
        IdempotencyConfig<byte[]> unset = IdempotencyConfig.of(Codec.bytes());
        IdempotencyConfig<byte[]> config = new IdempotencyConfig<>(
                unset.codec(),
                surroundings.duration("lease", idempotent.lease(), unset.lease()),
                surroundings.duration("resultTtl", idempotent.resultTtl(), unset.responseTtl()));
        Function<@Nullable Object[], String> fingerprint =
                idempotent.fingerprint().isEmpty()
                        ? ResultJson::digest
                        : site.template("fingerprint", idempotent.fingerprint())::resolve;
        Idempotency<byte[]> idempotency = surroundings.interlock().idempotency(name, config);
        return new OnceGuard(
                idempotency, name, site.template("key", idempotent.key()), fingerprint, ResultJson.of(site.shape()));
    }

    GuardedMethods<?> methods() {
        return methods;
    }

    /** What stands between the method and all other advisors, for locks only. */
    List<Advisor> innermost() {
        return innermost == null ? List.of() : List.of(innermost);
    }

    boolean outsideTransactions() {
        return outsideTransactions;
    }

    @Override
    public GuardedMethods<?> getPointcut() {
        return methods;
    }

    @Override
    public GuardInterceptor getAdvice() {
        return advice;
    }
}
