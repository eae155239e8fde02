// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation

import dev.interlock.Interlock
import dev.interlock.embedded.RedisServer
import dev.interlock.embedded.RedisTest
import dev.interlock.lock.LockTimeoutException
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test

/** Kotlin's suspend functions, compiled by Kotlin. */
@RedisTest
class SuspendIT {
    open class Jobs {
        val runs = AtomicInteger()

        @Locked(name = "job:#{#id}", waitTime = "\${test.wait}")
        open suspend fun work(id: Long, gate: CompletableDeferred<String>): String {
            runs.incrementAndGet()
            delay(1)
            return gate.await()
        }

        @Locked(name = "job:#{#id}", waitTime = "\${test.wait}")
        open fun many(id: Long): Flow<Int> = flow {
            emit(1)
            delay(1)
            emit(2)
        }

        @RateLimited(key = "#{#user}", limit = ["1/1h"], deadline = "5s")
        open suspend fun limited(user: String): String {
            delay(1)
            return user
        }

        @Idempotent(key = "#{#key}")
        open suspend fun once(key: String): Int {
            delay(1)
            return runs.incrementAndGet()
        }
    }

    private fun Interlock.held() = lock("job:7").owner().isPresent

    private suspend fun until(condition: () -> Boolean) = withTimeout(5_000) {
        while (!condition()) {
            delay(5)
        }
    }

    @Test
    fun guardsSuspendFunctionsUntilTheyAreDone(redis: RedisServer) {
        Application.start(redis, Jobs::class.java).use { context ->
            val jobs = context.getBean(Jobs::class.java)
            val interlock = context.getBean(Interlock::class.java)
            runBlocking(Dispatchers.Default) {
                val gate = CompletableDeferred<String>()
                val running = async { jobs.work(7, gate) }
                until { interlock.held() }
                assertThrows(LockTimeoutException::class.java) { runBlocking { jobs.work(7, gate) } }
                gate.complete("done")
                assertThat(running.await()).isEqualTo("done")
                assertThat(interlock.held()).isFalse()

                val cancelled = async(start = CoroutineStart.DEFAULT) { jobs.work(7, CompletableDeferred()) }
                until { interlock.held() }
                cancelled.cancel()
                until { !interlock.held() }

                assertThat(jobs.many(7).toList()).containsExactly(1, 2)
                assertThat(interlock.held()).isFalse()

                assertThat(jobs.limited("ann")).isEqualTo("ann")
                assertThrows(RateLimitedException::class.java) { runBlocking { jobs.limited("ann") } }

                val first = jobs.once("k")
                assertThat(jobs.once("k")).isEqualTo(first)
                assertThat(interlock.lock("job:7").tryAcquire(Duration.ofSeconds(1)).isPresent).isTrue()
            }
        }
    }
}
