package io.margay.app.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExportsTree;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Modifier;

/// How many of the top-level types of a module other modules can see: those that are public in a
/// package that the module's descriptor exports. A module without a descriptor exports everything.
record PublicShare(String module, int publicTypes, int types) {
    static PublicShare of(String module, List<SourceFile> files) {
        var exported = exports(files);
        boolean exportsAll =
                files.stream().noneMatch(file -> file.name().equals("module-info.java"));
        int publicTypes = 0;
        int types = 0;
        for (var file : files) {
            boolean visible = exportsAll || exported.contains(packageOf(file));
            for (var declaration : file.tree().getTypeDecls()) {
                if (declaration instanceof ClassTree type) {
                    types++;
                    if (visible && type.getModifiers().getFlags().contains(Modifier.PUBLIC)) {
                        publicTypes++;
                    }
                }
            }
        }
        return new PublicShare(module, publicTypes, types);
    }

    private static Set<String> exports(List<SourceFile> files) {
        var names = new HashSet<String>();
        for (var file : files) {
            var module = file.tree().getModule();
            if (module != null) {
                for (var directive : module.getDirectives()) {
                    if (directive instanceof ExportsTree exports) {
                        names.add(exports.getPackageName().toString());
                    }
                }
            }
        }
        return names;
    }

    private static String packageOf(SourceFile file) {
        var name = file.tree().getPackageName();
        return name == null ? "" : name.toString();
    }

    /// The share of several modules as one.
    static PublicShare sum(String name, List<PublicShare> shares) {
        return new PublicShare(
                name,
                shares.stream().mapToInt(PublicShare::publicTypes).sum(),
                shares.stream().mapToInt(PublicShare::types).sum());
    }

    int percent() {
        return types == 0 ? 0 : Math.round(100f * publicTypes / types);
    }

    @Override
    public String toString() {
        return "%s: %d of %d top-level types are public and exported, %d %%"
                .formatted(module, publicTypes, types, percent());
    }
}
