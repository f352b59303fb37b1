package io.margay.members.watch;

import io.margay.gateway.config.Activation;
import io.margay.gateway.discovery.Finding;
import io.margay.members.watch.ScriptedApi.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/// Looks at watched members, as texts that tests compare. Stateless.
final class Looks {
    /// Limits that end within a test.
    static final WatchLimits QUICK =
            new WatchLimits(
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(15),
                    Duration.ofMillis(200),
                    2,
                    1 << 20,
                    100_000,
                    200_000,
                    5);

    private static final int LOOKS_MAX = 20;

    private Looks() {}

    /// What the next look says.
    static String look(WatchedMembers members) throws InterruptedException {
        return shown(members.find());
    }

    /// The next look that says something new.
    static String news(WatchedMembers members) throws InterruptedException {
        String said = look(members);
        for (int i = 0; i < LOOKS_MAX && said.equals("same"); i++) {
            said = look(members);
        }
        return said;
    }

    /// Has a watch send lines.
    static void send(AtomicReference<Reply> watch, String... lines) {
        ((Reply.Lines) watch.get()).lines().addAll(List.of(lines));
    }

    private static String shown(Finding finding) {
        return switch (finding) {
            case Finding.Members found ->
                    found.members().stream()
                            .map(each ->
                                    each.name()
                                            + "="
                                            + each.address()
                                            + (each.share().activation() == Activation.DISABLED
                                                    ? " drains"
                                                    : ""))
                            .collect(Collectors.joining(", "));
            case Finding.Same _ -> "same";
            case Finding.None none -> "none: " + none.why();
            case Finding.Failed failed -> "failed: " + failed.why();
        };
    }
}
