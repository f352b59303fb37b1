package io.margay.app.config.file;

import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Reads where the members of an upstream are named that come and go. Used by one thread.
final class MemberSourceReader {
    /// Those that a member with a `url` cannot have.
    static final List<String> KEYS = List.of("every", "drain");

    /// What the members of a source cannot share.
    private static final List<String> OF_ONE = List.of("name", "route");

    private static final Duration FILE_EVERY = Duration.ofSeconds(1);

    private final Path base;
    private final List<Problem> problems;
    private final BalanceDialect dialect;

    MemberSourceReader(Path base, List<Problem> problems, BalanceDialect dialect) {
        this.base = base;
        this.problems = problems;
        this.dialect = dialect;
    }

    /// @param member an item of `members`
    /// @param pattern makes what its members are beside name and address
    /// @return empty where the item is a member itself
    Optional<MemberSource> read(Settings member, Function<Settings, PeerConfig> pattern) {
        Optional<String> file = member.text("file");
        if (file.isEmpty()) {
            return Optional.empty();
        }
        for (String key : OF_ONE) {
            if (member.has(key)) {
                problems.add(
                        new Problem(
                                member.position(key),
                                "\"" + key + "\" is for one member: the source says it"));
            }
        }
        Duration every = member.duration("every").orElse(FILE_EVERY);
        if (every.isZero()) {
            problems.add(new Problem(member.position("every"), "\"every\" must be above 0s"));
        }
        Path path = base.resolve(file.get()).normalize();
        return Optional.of(
                new MemberSource(
                        new MemberSource.MemberFile(path, dialect == BalanceDialect.MOD_JK),
                        pattern.apply(member),
                        every,
                        member.duration("drain").orElse(Duration.ZERO),
                        Duration.ZERO));
    }
}
