package io.margay.gateway.discovery;

import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
                PeerConfig member =
                        MemberLine.parse(content, limits.lineMax()).member(source, namesByRoute);
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
}
