package io.margay.gateway.plan;

import io.margay.gateway.access.FolderPages;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.limit.RequestLimit;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.HostChanges;
import io.margay.protocol.http.PathReading;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.util.List;

/// A virtual host of another front end. Immutable.
///
/// @param names in lower case; empty = every name that no other host at the same places has
/// @param at where requests must arrive, `ADDRESS:PORT` or `*:PORT`; empty = at no place that
///   another host names
/// @param rules asked in order
/// @param files folders that are served where no rule takes a request
/// @param logs a line per request in each
/// @param changes what is changed in requests and responses that pass
/// @param access who may ask for what
/// @param entry which requests it takes
@RecordBuilder
public record HostPlan(
        List<String> names,
        List<String> at,
        List<GatewayRule> rules,
        List<FilesPlan> files,
        List<LogPlan> logs,
        HostChanges changes,
        HostAccess access,
        Entry entry) {
    public HostPlan {
        names = List.copyOf(names);
        at = List.copyOf(at);
        rules = List.copyOf(rules);
        files = List.copyOf(files);
        logs = List.copyOf(logs);
    }

    /// The same by other names.
    public HostPlan named(List<String> others) {
        return new HostPlan(others, at, rules, files, logs, changes, access, entry);
    }

    /// Which requests a host takes.
    ///
    /// @param needsCertificate whether it is for clients alone that show a certificate, which its
    ///   listeners ask for
    /// @param paths how paths are read that servers disagree about
    /// @param limits how many it takes
    public record Entry(boolean needsCertificate, PathReading paths, List<RequestLimit> limits) {
        public Entry {
            limits = List.copyOf(limits);
        }
    }

    /// Static files.
    ///
    /// @param prefix empty for the root, otherwise `/…`
    /// @param folder or a single file
    /// @param precompressed whether `NAME.gz` is sent in place of `NAME`
    /// @param pages what is sent where a path stands for no file
    public record FilesPlan(String prefix, Path folder, boolean precompressed, FolderPages pages) {
        /// With `index.html` for folders; each file is sent as it is.
        public FilesPlan(String prefix, Path folder) {
            this(prefix, folder, false, FolderPages.DEFAULT);
        }

        /// The same with other pages.
        public FilesPlan with(FolderPages others) {
            return new FilesPlan(prefix, folder, precompressed, others);
        }
    }

    /// A log of requests.
    ///
    /// @param format as Apache's
    /// @param when what must hold of a request for it to be logged
    /// @param rotateBytes before it is larger, the file gets another name; 0 = it does not
    public record LogPlan(Path file, String format, List<Condition> when, long rotateBytes) {
        /// One that is not rotated by its size.
        public LogPlan(Path file, String format, List<Condition> when) {
            this(file, format, when, 0);
        }

        public LogPlan {
            when = List.copyOf(when);
        }
    }
}
