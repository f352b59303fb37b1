package io.margay.frameworks.struts;

import org.apache.struts2.ActionSupport;
import org.apache.struts2.interceptor.parameter.StrutsParameter;

/// Greets whoever a form names.
public class GreetingAction extends ActionSupport {
    private static final long serialVersionUID = 1;

    private String name = "";
    private int times = 1;

    public String getName() {
        return name;
    }

    @StrutsParameter
    public void setName(String name) {
        this.name = name;
    }

    public int getTimes() {
        return times;
    }

    @StrutsParameter
    public void setTimes(int times) {
        this.times = times;
    }

    @Override
    public void validate() {
        if (name.isBlank()) {
            addFieldError("name", "a name is needed");
        }
    }
}
