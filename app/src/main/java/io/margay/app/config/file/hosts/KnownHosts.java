package io.margay.app.config.file.hosts;

import io.margay.app.config.HostPlace;
import io.margay.app.config.HostSettings;
import io.margay.app.yaml.KnownEntries;
import io.margay.app.yaml.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The hosts that the last reading of a file has made, so that the next one makes only those anew
/// that are written otherwise, or find other files. Confined to one thread at a time.
///
/// A host is kept as the object that it is where nothing outside of the list of hosts has changed,
/// its section is written as before, and the files that it names are of the same kind. Hosts that
/// limit access are made each time, since the reading looks at more than that; what comes out equal
/// is the same object, too.
public final class KnownHosts {
    private static final Set<String> ACCESS = Set.of("access");

    private final KnownEntries entries = new KnownEntries("hosts");
    private IdentityHashMap<Settings, Known> before = new IdentityHashMap<>();
    private IdentityHashMap<Settings, Known> now = new IdentityHashMap<>();

    /// Hosts that are made each time, by what no two have in common.
    private Map<Named, HostSettings> madeBefore = Map.of();

    private Map<Named, HostSettings> made = new HashMap<>();

    /// What this reading has seen, so that nothing is looked at twice.
    private final Map<Path, FileKind> kinds = new HashMap<>();

    /// What the host that is being read has looked at; null = none is.
    private @Nullable List<Seen> looked;

    private record Known(HostSettings host, List<Seen> files) {}

    private record Seen(Path path, FileKind kind) {}

    private record Named(List<String> names, List<HostPlace> at) {}

    /// A reading begins.
    public KnownEntries begin() {
        before = now;
        now = new IdentityHashMap<>();
        madeBefore = made;
        made = new HashMap<>();
        kinds.clear();
        return entries;
    }

    /// Something is wrong or missing, which the next reading is to say again.
    public void forget() {
        entries.forget();
        now = new IdentityHashMap<>();
        made = new HashMap<>();
    }

    /// The host that a section describes.
    public HostSettings host(Settings section, Supplier<HostSettings> reading) {
        if (HostKeys.areIn(section, ACCESS)) {
            HostSettings read = reading.get();
            Named named = new Named(read.names(), read.at());
            HostSettings same = madeBefore.get(named);
            HostSettings kept = same != null && same.equals(read) ? same : read;
            made.put(named, kept);
            return kept;
        }
        Known known = entries.isFrameSame() ? before.get(section) : null;
        if (known == null || !isSame(known.files)) {
            looked = new ArrayList<>(1);
            HostSettings read = reading.get();
            known = new Known(read, looked);
            looked = null;
        }
        now.put(section, known);
        return known.host;
    }

    private boolean isSame(List<Seen> files) {
        for (Seen file : files) {
            if (kind(file.path) != file.kind) {
                return false;
            }
        }
        return true;
    }

    /// What a path leads to.
    public FileKind kind(Path path) {
        FileKind kind = kinds.computeIfAbsent(path, FileKind::of);
        if (looked != null) {
            looked.add(new Seen(path, kind));
        }
        return kind;
    }
}
