<%@ page contentType="text/html; charset=UTF-8" %>ordered ${actionBean.item} for ${sum}
