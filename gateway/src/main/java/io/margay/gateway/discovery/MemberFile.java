package io.margay.gateway.discovery;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerUrl;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A file with a line for each member: its URL, then options as `margay.yaml` calls them. Used by
/// one thread.
///
/// ```
/// # the shop
/// http://10.0.0.5:8080 route=a
/// http://10.0.0.6:8080 route=b weight=2 activation=disabled
/// ```
///
/// It is read again when its time, its length or the file itself is another. One that cannot be
/// read, is broken or names nobody changes nothing: a program may be writing it.
public final class MemberFile implements MemberFinder {
    private static final Set<String> OPTIONS =
            Set.of(
                    "name",
                    "route",
                    "weight",
                    "distance",
                    "domain",
                    "redirect",
                    "activation",
                    "standby",
                    "spare",
                    "busy-max",
                    "ignore-errors");

    private final MemberSource source;
    private final Path path;
    private final boolean namesByRoute;
    private final DiscoveryLimits limits;
    private @Nullable Version read;

    /// By what a change is seen.
    private record Version(long modifiedNanos, long bytes, @Nullable Object key) {}

    public MemberFile(MemberSource source, MemberSource.MemberFile file, DiscoveryLimits limits) {
        this.source = source;
        path = file.path();
        namesByRoute = file.namesByRoute();
        this.limits = limits;
    }

    @Override
    public Finding find() {
        try {
            Version version = version();
            if (version.equals(read)) {
                return new Finding.Same(source.every());
            }
            if (version.bytes > limits.fileBytesMax()) {
                return failed("is longer than " + limits.fileBytesMax() + " bytes");
            }
            List<PeerConfig> members = parse(Files.readString(path));
            if (!version.equals(version())) {
                return failed("is being written");
            }
            read = version;
            return new Finding.Members(members, source.every());
        } catch (NoSuchFileException e) {
            return failed("does not exist");
        } catch (CharacterCodingException e) {
            return failed("is not UTF-8 text");
        } catch (IOException e) {
            return failed("cannot be read: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            return failed(String.valueOf(e.getMessage()));
        }
    }

    private Finding failed(String why) {
        read = null;
        return new Finding.Failed(why, source.every());
    }

    private Version version() throws IOException {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        return new Version(
                now.lastModifiedTime().to(TimeUnit.NANOSECONDS), now.size(), now.fileKey());
    }

    /// The members of a file's content.
    ///
    /// @throws IllegalArgumentException saying what is wrong, by line
    List<PeerConfig> parse(String text) {
        List<PeerConfig> members = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String content = line.strip();
            if (content.isEmpty() || content.startsWith("#")) {
                continue;
            }
            try {
                PeerConfig member = member(content);
                if (!names.add(member.name())) {
                    throw new IllegalArgumentException("two members are called " + member.name());
                }
                members.add(member);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
            }
        }
        if (members.isEmpty()) {
            throw new IllegalArgumentException("names no member");
        }
        return members;
    }

    private PeerConfig member(String line) {
        if (line.length() > limits.lineMax()) {
            throw new IllegalArgumentException("more than " + limits.lineMax() + " characters");
        }
        String[] words = line.split("\\s+");
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            String key = equals < 0 ? words[i] : words[i].substring(0, equals);
            if (equals < 0 || !OPTIONS.contains(key)) {
                throw new IllegalArgumentException("\"" + words[i] + "\" is no option of a member");
            }
            if (options.put(key, words[i].substring(equals + 1)) != null) {
                throw new IllegalArgumentException("\"" + key + "\" is said twice");
            }
        }
        PeerUrl url = PeerUrl.parse(words[0]);
        PeerConfig.Share share = share(options);
        String byRoute = namesByRoute && !share.route().isEmpty() ? share.route() : null;
        String name = options.getOrDefault("name", byRoute);
        return source.member(
                name == null ? url.address().toString() : name, url.address(), url.path(), share);
    }

    private PeerConfig.Share share(Map<String, String> options) {
        PeerConfig.Share byDefault = source.pattern().share();
        return new PeerConfig.Share(
                options.getOrDefault("route", options.getOrDefault("name", "")),
                options.getOrDefault("domain", byDefault.domain()),
                options.getOrDefault("redirect", byDefault.redirect()),
                weight(options, byDefault.weight()),
                whole(options, "distance", byDefault.distance(), 1_000),
                activation(options, byDefault.activation()),
                flag(options, "standby", byDefault.standby()),
                flag(options, "spare", byDefault.spare()),
                whole(options, "busy-max", byDefault.busyMax(), 1_000_000),
                flag(options, "ignore-errors", byDefault.ignoreErrors()));
    }

    private static double weight(Map<String, String> options, double byDefault) {
        String text = options.get("weight");
        if (text == null) {
            return byDefault;
        }
        if (!text.matches("[0-9]{1,7}([.][0-9]{1,6})?") || text.matches("[0.]+")) {
            throw new IllegalArgumentException("weight must be a number above 0, not " + text);
        }
        return Double.parseDouble(text);
    }

    private static int whole(Map<String, String> options, String key, int byDefault, int most) {
        String text = options.get(key);
        if (text == null) {
            return byDefault;
        }
        if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) > most) {
            throw new IllegalArgumentException(
                    key + " must be a whole number from 0 to " + most + ", not " + text);
        }
        return Integer.parseInt(text);
    }

    private static Activation activation(Map<String, String> options, Activation byDefault) {
        String text = options.get("activation");
        if (text == null) {
            return byDefault;
        }
        for (Activation each : Activation.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "activation must be active, disabled or stopped, not " + text);
    }

    private static boolean flag(Map<String, String> options, String key, boolean byDefault) {
        String text = options.get(key);
        if (text == null) {
            return byDefault;
        }
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(key + " must be true or false, not " + text);
        }
        return text.equals("true");
    }
}
