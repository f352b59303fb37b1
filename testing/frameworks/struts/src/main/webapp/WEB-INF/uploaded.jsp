<%@ page contentType="text/plain; charset=UTF-8" %><%@ taglib prefix="s" uri="/struts-tags" %><s:iterator value="told"><s:property/>;</s:iterator>
