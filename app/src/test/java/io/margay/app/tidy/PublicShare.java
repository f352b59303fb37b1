package io.margay.app.tidy;

import com.sun.source.tree.ClassTree;
import java.util.List;
import javax.lang.model.element.Modifier;

/// How many of the top-level types of a module are public.
record PublicShare(String module, int publicTypes, int types) {
    static PublicShare of(String module, List<SourceFile> files) {
        int publicTypes = 0;
        int types = 0;
        for (var file : files) {
            for (var declaration : file.tree().getTypeDecls()) {
                if (declaration instanceof ClassTree type) {
                    types++;
                    if (type.getModifiers().getFlags().contains(Modifier.PUBLIC)) {
                        publicTypes++;
                    }
                }
            }
        }
        return new PublicShare(module, publicTypes, types);
    }

    @Override
    public String toString() {
        int percent = types == 0 ? 0 : Math.round(100f * publicTypes / types);
        return "%s: %d of %d top-level types are public, %d %%"
                .formatted(module, publicTypes, types, percent);
    }
}
