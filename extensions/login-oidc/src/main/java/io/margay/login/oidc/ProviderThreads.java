package io.margay.login.oidc;

import io.margay.gateway.login.LoginCheck;
import io.margay.gateway.login.LoginFindings;
import io.margay.gateway.login.LoginResult;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.LogRate;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// A few threads that wait for providers; they end when there is nothing to ask. Thread-safe.
final class ProviderThreads {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    private final ThreadPoolExecutor threads;
    private final LogRate rate = new LogRate(Duration.ofSeconds(10), System::nanoTime);

    ProviderThreads(OidcLimits limits) {
        threads =
                new ThreadPoolExecutor(
                        limits.askingMax(),
                        limits.askingMax(),
                        10,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(limits.waitingMax()),
                        Thread.ofPlatform().daemon().name("margay-login-oidc-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    /// Something that a provider is asked.
    ///
    /// @param key under which its outcome is noted in the exchange
    /// @param work that may wait; what it gives is run on the loop
    LoginCheck check(Exchange exchange, Object key, Supplier<Supplier<LoginResult>> work) {
        return then -> {
            Runnable task =
                    () -> {
                        Supplier<LoginResult> outcome = outcome(work);
                        exchange.execute(() -> {
                            if (exchange.failure() == null) {
                                LoginFindings.of(exchange).found(key, outcome.get());
                                then.run();
                            }
                        });
                    };
            try {
                threads.execute(task);
            } catch (RejectedExecutionException _) {
                LoginFindings.of(exchange).found(key, new LoginResult.Busy());
                then.run();
            }
        };
    }

    /// Nobody waits for ever for what fails.
    private Supplier<LoginResult> outcome(Supplier<Supplier<LoginResult>> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            LOG.log(rate.isDue() ? Level.WARNING : Level.DEBUG, "a login fails", e);
            return LoginResult.Failed::new;
        }
    }
}
