package io.margay.frameworks.struts;

import java.util.ArrayList;
import java.util.List;
import org.apache.struts2.ActionSupport;
import org.apache.struts2.action.UploadedFilesAware;
import org.apache.struts2.dispatcher.multipart.UploadedFile;

/// Tells names and lengths of the files of a form.
public class UploadAction extends ActionSupport implements UploadedFilesAware {
    private static final long serialVersionUID = 1;

    private final ArrayList<String> told = new ArrayList<>();

    @Override
    public void withUploadedFiles(List<UploadedFile> files) {
        for (UploadedFile file : files) {
            told.add(file.getOriginalName() + " " + file.length());
        }
    }

    public List<String> getTold() {
        return told;
    }
}
