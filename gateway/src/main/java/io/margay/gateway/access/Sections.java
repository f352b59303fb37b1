package io.margay.gateway.access;

import io.margay.gateway.access.SectionRewriting.Target;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.access.match.SectionMatch.Kind;
import io.margay.gateway.rules.compiled.RuleSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The sections of a host, with what files in folders add to them. Immutable.
///
/// @param rules of the host
/// @param folders what the host's routes serve
/// @param folderRules asked where sections let files in folders say more
record Sections(HostAccess access, RuleSet rules, ServedFolders folders, FolderRules folderRules) {
    /// Merges what sections say.
    ///
    /// @param file what the path stands for; null where it is no file
    /// @param url what is asked for at a peer, or null
    SectionWalk walked(
            AccessRequest request, ServedFolders.@Nullable Found file, @Nullable String url) {
        return walked(request, file, targets(request, file, url), url);
    }

    /// @param targets what may be the file
    SectionWalk walked(
            AccessRequest request,
            ServedFolders.@Nullable Found file,
            List<Target> targets,
            @Nullable String url) {
        String known =
                file != null && folders.mapped(request.path()) != null
                        ? file.whole()
                        : url == null ? null : "proxy:" + url;
        AccessRequest asked = known == null ? request : request.ofFile(known, rules);
        SectionWalk walk = new SectionWalk(asked, targets, folders, rules);
        walk.add(access.always());
        walk.next();
        if (file != null) {
            folders(walk, file);
            request.caller().found(walk.changes());
            walk.pastFolders();
            for (AccessSection section : List.copyOf(walk.files())) {
                walk.add(section, file.name(), Kind.FILE);
            }
            walk.next();
        }
        if (url != null) {
            access.peers().forEach(section -> walk.add(section, url, Kind.PEER));
            walk.next();
        }
        access.paths().forEach(section -> walk.add(section, request.path(), Kind.PATH));
        walk.next();
        walk.conditional();
        return walk;
    }

    /// What may be the file to httpd, which is not known of what goes to peers.
    List<Target> targets(
            AccessRequest request, ServedFolders.@Nullable Found file, @Nullable String url) {
        String path = request.path();
        String mapped = file == null ? null : folders.mapped(path);
        if (file != null && mapped != null) {
            return List.of(new Target(mapped, file.whole(), true));
        }
        return Target.unmapped(path, url, request.request().query());
    }

    private void folders(SectionWalk walk, ServedFolders.Found file) {
        int next = 0;
        List<AccessSection> sections = access.folders();
        for (int depth = 0; depth < file.folders().size(); depth++) {
            String folder = file.folders().get(depth);
            while (next < sections.size() && HostAccess.depth(sections.get(next)) <= depth) {
                walk.add(sections.get(next++), folder, Kind.FOLDER);
            }
            FolderOverrides overrides = walk.rules().overrides();
            if (overrides.areRead() && depth < file.real()) {
                FolderFile own = folderRules.of(folder, overrides);
                if (own != null) {
                    walk.add(own);
                }
            }
        }
        for (AccessSection section : sections) {
            if (section.match() instanceof SectionMatch.Found) {
                walk.add(section, file.whole(), Kind.FOLDER);
            }
        }
    }
}
